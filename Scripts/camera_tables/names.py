"""Names of cameras, compared as CameraKey.swift does: what the makers, LibRaw's list and the
published tables write for one camera becomes one key, and two cameras never share one."""

import re

MAKERS = {"om": "olympus", "phase": "phaseone", "eastman": "kodak", "konica": "minolta"}
MAKER_WORDS = {
    "corporation", "corp.", "co.,", "co.,ltd", "ltd.", "company,", "company", "imaging", "digital",
    "solutions", "system", "camera", "ag", "optical", "one", "a/s", "minolta", "electric", "kodak",
    "techwin"}
NOISE = ("finepix", "easyshare", "zoom digital camera", "digital camera")
ROMAN = {"ii": 2, "iii": 3, "iiii": 4, "iv": 4, "v": 5, "vi": 6, "vii": 7}
NUMERAL = "|".join(sorted(ROMAN, key=len, reverse=True))


def maker(make):
    """The first word of a maker's name, one for each maker."""
    first = re.sub(r"[^a-z0-9]", "", (make.lower().split() or [""])[0])
    return MAKERS.get(first, first)


def model_key(make, model):
    """`model` without its maker, in lower case, with `m2` for all forms of Mark II."""
    text = model.lower()
    for noise in NOISE:
        text = text.replace(noise, " ")
    words = text.split()
    first = make.lower().split()[:1]
    while len(words) > 1 and (words[:1] == first or (
            words[0] in MAKER_WORDS and len(words) > 1 and first == ["om"])):
        words = words[1:]
    out = []
    for index, word in enumerate(words):
        word = re.sub(r"_([2-9])$", r"m\1", word)
        numeral = re.fullmatch(rf"({NUMERAL})([asx]?)", word)
        if numeral and index > 0:
            word = f"m{ROMAN[numeral[1]]}{numeral[2]}"
        elif word in ("mark", "mk") and index + 1 < len(words):
            word = ""
        else:
            word = re.sub(rf"(?:mark|mk)({NUMERAL})$", lambda m: f"m{ROMAN[m[1]]}", word)
        out.append(word)
    key = re.sub(r"[^a-z0-9+]", "", "".join(out))
    # Sony's α 7 IV is ILCE-7M4 in files.
    return re.sub(r"^ilce(?=\d)", "a", key) if maker(make) == "sony" else key


def key(make, model):
    """The key of a camera."""
    return f"{maker(make)} {model_key(make, model)}"


def split_listed(entry):
    """Maker and models that an entry of LibRaw's list stands for."""
    words = entry.split()
    count = 1
    while count < len(words) - 1 and words[count].lower() in MAKER_WORDS:
        count += 1
    make, rest = " ".join(words[:count]), " ".join(words[count:])
    models = [rest]
    models += re.findall(r"\(([^()]*)\)?", rest)
    plain = re.sub(r"\([^()]*\)?", " ", rest).strip()
    parts = [part.strip() for part in re.split(r" / |, ", plain) if part.strip()]
    models += parts
    for part in parts[1:]:
        # EOS 850D / Rebel T8i, DC-ZS200 / ZS220: the beginning is shared.
        models.append(parts[0].split()[0] + " " + part)
        models.append(parts[0].split("-")[0] + "-" + part)
    for part in parts:
        # Alpha/Dynax/Maxxum 5D: one word stands for several.
        for word in part.split():
            if "/" in word:
                models += [part.replace(word, choice) for choice in word.split("/")]
    return make, [model for model in models if model]


def listed_keys(entry):
    make, models = split_listed(entry)
    return {key(make, model) for model in models}
