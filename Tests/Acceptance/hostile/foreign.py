"""How lines begin that libraries of the system print about damage by themselves: libjxl, dav1d,
libpng, libde265."""
FOREIGN = ("./lib/jxl", "Error parsing", "Frame size ", "libpng warning", "SPS error")
