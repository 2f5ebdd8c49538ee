# Computes expressions as the PBS scheduler does: eval with the variables as globals, and module math as locals.
import json, math, struct, sys, warnings

warnings.simplefilter("ignore")
task = json.load(sys.stdin)
version = sys.version.split()[0]
variables = {name: eval(text) for name, text in task["variables"].items()}


def answer(expression):
    try:
        v = eval(expression, dict(variables), {k: v for k, v in vars(math).items() if not k.startswith("_")})
    except MemoryError:
        raise
    except Exception as e:
        name = type(e).__name__
        return {"class": "SyntaxError" if isinstance(e, SyntaxError) else name, "message": str(e)}
    kind = type(v).__name__
    if isinstance(v, float):
        value = "nan" if v != v else struct.pack(">d", v).hex()
    elif kind in ("complex", "type", "function", "builtin_function_or_method"):
        kind, value = "complex" if kind == "complex" else "function", ""
    else:
        limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        value = repr(v)
        sys.set_int_max_str_digits(limit)
    return {"type": kind, "value": value}


for expression in task["expressions"]:
    print(json.dumps(answer(expression) | {"version": version}))
