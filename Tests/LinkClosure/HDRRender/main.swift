import HDRRender
