html_extra_path = ["extra"]
