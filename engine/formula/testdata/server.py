# Does to formulas what the PBS server does before it accepts one: execute an assignment of it twice, all names 1, first
# with every resource and then with the numeric ones. The formula stands in single quotes in a program made of text.
import json, sys, warnings

warnings.simplefilter("ignore")
task = json.load(sys.stdin)
ones = {name: 1 for name in task["numeric"] + task["other"]}
numeric = {name: 1 for name in task["numeric"]}

PROGRAM = """
ans = 0
errnum = 0
errmsg = ''
from math import *
try:
    exec('ans=FORMULA', globals1, locals())
except SyntaxError as e:
    errnum = 15123
except NameError as e:
    errnum = 15124
except Exception as e:
    pass
if errnum == 0:
    try:
        exec('ans=FORMULA', globals2, locals())
    except NameError as e:
        errnum = 15125
    except Exception as e:
        pass
"""


def code(formula):
    space = {"globals1": dict(ones), "globals2": dict(numeric)}
    try:
        exec(PROGRAM.replace("FORMULA", formula), space)
    except Exception:
        return 15011
    return space["errnum"]


for formula in task["formulas"]:
    print(code(formula))
