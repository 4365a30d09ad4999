"""Scripts that make the models the package ships."""
