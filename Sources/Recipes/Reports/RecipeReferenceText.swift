/// The parts of `Docs/recipes.md` that are no tables.
enum RecipeReferenceText {
  static let beginning = """
    # Recipes

    Made by `rawdev recipe reference`.

    A recipe says how a raw is developed and which files are written. It is a file in YAML or JSON:

    ```yaml
    schema: 1
    name: Web delivery
    extends: [base.yaml, web]
    raw:
      exposure: 0.5
    render:
      crop: [0, 0.1, 1, 0.9]
    outputs:
      hdr: {format: heif-hlg}
      web: {format: jpeg-gainmap, maxSize: 2048, metadata: noLocation, name: "web/{stem}"}
    ```

    `rawdev recipe init` writes one to begin with, in which nothing is set; `validate` says what is wrong in
    one and on which line; `explain` prints each value that counts for a raw and where it comes from, with
    `--given` only those that recipes and sidecars give; `diff` says in what two recipes differ; `migrate`
    brings old ones into the newest form; `schema` prints the JSON Schema for editors, e.g.
    `# yaml-language-server: $schema=recipe.schema.json`.

    * YAML is read as version 1.2 means it: only `true` and `false` are toggles; `yes`, `no`, `on` and `off` are
      texts. A key stands once in its map. Texts that begin with `*`, `{` or `[` need quotes.
    * A file has at most 1 MiB, 100,000 values (after aliases) and 64 levels. Numbers without an end and whole
      numbers of more than 53 bits are refused.
    * Keys that this version does not know are kept and reported, with the nearest known key. Wrong types and
      ranges are errors that name file, line and key.
    * `schema` is the version of the form. A newer one than rawdev knows is an error. Old recipes without
      `schema`, with `output` instead of `outputs`, are read as what they mean.
    * Development never writes to a recipe or sidecar.

    """

  static let layers = """

    ## What a value is inherited from

    For each raw these layers are laid over each other; the last one that gives a key wins:

    1. what rawdev does by default;
    2. rules for cameras, then for cameras at some ISO speeds, then for lenses;
    3. folder defaults: `.rawdev/defaults.yaml` (or `.json`) in the raw's folder and in those around it, the
       nearest last, up to one that says `root: true`;
    4. recipes named by the caller, in order, each after what it `extends`;
    5. the XMP of Lightroom or Camera Raw beside the raw or in it;
    6. our own sidecar;
    7. settings on the command line.

    An absent key is inherited. `null` is the default, whatever weaker layers say; for an output it takes the
    output away. Maps are merged key by key; lists are taken as a whole.

    The ways of naming the white are alternatives: `neutralTemperature` with `neutralTint`,
    `neutralChromaticity`, `neutralLocation`, `isAutomaticWhiteBalanceEnabled`. A layer that gives any of them
    takes the place of all that weaker layers give; `null` for any, or `isAutomaticWhiteBalanceEnabled: false`,
    is as shot. As shot is never turned into numbers.

    ### Recipes that build on others

    `extends` names recipes that are weaker than this one, weakest first: paths relative to this file, or
    names of recipes that come with rawdev. What two recipes extend counts once, at the first place. Recipes
    that extend each other in a circle are an error that shows the circle. A relative `raw.profilePath` starts
    from the folder of its file, too.

    ### Folder defaults and rules

    ```yaml
    # /photos/.rawdev/defaults.yaml
    root: true
    raw: {exposure: 0.3}
    rules:
      - match: {camera: "Canon EOS 5D*", iso: [1600, 25600]}
        raw: {luminanceNoiseReductionAmount: 0.8}
      - match: {lens: "EF50mm*"}
        raw: {isLensCorrectionEnabled: false}
    ```

    All that `match` names must fit. `*` stands for any text and `?` for one character; upper and lower case
    are the same. A camera is matched by maker and model, or by the model alone. A rule with a lens belongs to
    the layer of lenses, one with speeds to that of cameras and speeds. Within a layer the rules of nearer
    folders win, then those that match more narrowly: more conditions, more characters that stand for
    themselves, fewer speeds; then the later one. What stands outside of `rules` is stronger than all rules.

    """

  static let files = """

    ## Sidecars

    For `photo.CR2` the first of these counts, and our own above that of another program:

    * `photo.CR2.rawdev.yaml` (or `.yml`, `.json`): a recipe for this picture;
    * `photo.CR2.xmp`, then `photo.xmp`, then the XMP within the raw, with settings of Camera Raw. Where
      `photo.xmp` could belong to several raws, and does not say to which, it counts for none.

    ## Names of files

    `outputs.*.name` is a template of the path below the target folder, without extension: text, and tokens
    in braces. `/` makes folders; `{{` and `}}` are braces.

    | token | what it stands for |
    |---|---|
    | `{stem}` | name of the raw without its extension |
    | `{ext}` | extension of the raw |
    | `{folder}` | folder of the raw below the folder that was given, with its subfolders |
    | `{date}`, `{date:%Y-%m-%d}` | time of the exposure: %Y %y %m %d %H %M %S %j %% |
    | `{camera}`, `{lens}`, `{iso}` | what the raw says of itself |
    | `{output}` | name of the output |
    | `{format}` | format of the output |

    What a token stands for never leaves its part of the path: `/` and control characters become `_`, and so
    does a dot at the beginning. What the raw does not say is `unknown`. Names that are no UTF-8 stay as they
    are. A template without `{folder}` begins in the raw's own folder below the target folder.

    """

  static let end = """

    ## Examples

    A folder of delivery files by day, with a small proof beside each:

    ```yaml
    extends: [hdr-delivery, proof]
    outputs:
      hdr: {name: "{date:%Y/%m/%d}/{stem}"}
      web: {name: "{date:%Y/%m/%d}/web/{stem}"}
      proof: {name: "proofs/{stem}"}
    ```

    A sidecar that goes back to the white as shot and leaves out one output:

    ```yaml
    raw: {neutralTemperature: null}
    outputs: {web: null}
    ```

    """
}
