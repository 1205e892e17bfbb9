# A documentation site as users of Sphinx and furo have it.
project = "A course on GPUs"
html_theme = "furo"
html_copy_source = False
