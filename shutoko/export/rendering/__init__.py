"""Our own renderer: bodies as shapes and textures, a camera, rays."""
