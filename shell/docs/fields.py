"""Tables of fields, from the JSON Schemas: the pages cannot say anything else than they do."""
import json

from figures import SOURCE

WORDS = {
    "en": {"head": "| field | type | meaning |", "needed": "required", "of": "of"},
    "zh": {"head": "| 字段 | 类型 | 含义（英文） |", "needed": "必填", "of": "之"},
}


def load(name):
    return json.loads((SOURCE / "assets" / "schema" / f"{name}.schema.json").read_text("utf-8"))


def resolve(name, schema):
    while "$ref" in schema:
        target, _, pointer = schema["$ref"].partition("#")
        name = target.split(".")[0] or name
        schema = load(name)
        for part in pointer.strip("/").split("/") if pointer else []:
            schema = schema[part]
    return name, schema


def without_null(name, schema):
    name, schema = resolve(name, schema)
    ways = [way for way in [*schema.get("anyOf", []), *schema.get("oneOf", [])] if way.get("type") != "null"]
    if "properties" not in schema and "type" not in schema and len(ways) == 1:
        return resolve(name, {**ways[0]})
    return name, schema


def kind(name, schema):
    name, schema = without_null(name, schema)
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " \\| ".join(f"`{word}`" for word in schema["enum"] if word is not None)
    if "type" not in schema:
        return " \\| ".join(dict.fromkeys(kind(name, way) for way in [*schema.get("oneOf", []), *schema.get("anyOf", [])] if way.get("type") != "null"))
    types = [one for one in (schema["type"] if isinstance(schema["type"], list) else [schema["type"]]) if one != "null"]
    if types == ["array"]:
        return f"[{kind(name, schema['items'])}]"
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum")
    limits = f" {low:g}–{high:g}" if low is not None and high is not None else f" ≥ {low:g}" if low is not None else ""
    return "/".join(types) + limits


def rows(name, schema, path, needed=()):
    name, schema = without_null(name, schema)
    for key, value in schema.get("properties", {}).items():
        place = f"{path}.{key}" if path else key
        inner_name, inner = without_null(name, value)
        text = value.get("description") or inner.get("description") or ""
        yield place, kind(name, value), text, key in schema.get("required", [])
        if "properties" in inner and "amount" not in inner["properties"]:
            yield from rows(inner_name, inner, place)
        elif "items" in inner:
            yield from rows(inner_name, inner["items"], place + "[]")


def table(lang, name, definition=None, path=""):
    """Markdown table of every field below a definition of a schema (the whole schema without one)."""
    words = WORDS[lang]
    schema = load(name)
    top = schema["$defs"][definition] if definition else {key: value for key, value in schema.items() if key != "$defs"}
    lines = [words["head"], "| --- | --- | --- |"]
    for place, type_text, text, needed in rows(name, top, path):
        meaning = text.replace("|", "\\|")
        lines.append(f"| `{place}` | {type_text} | {'**' + words['needed'] + '** ' if needed and name == 'request' else ''}{meaning} |")
    return "\n".join(lines)
