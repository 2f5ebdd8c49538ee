package python

import "math/big"

// wholeArgument is an argument that must be a whole number.
func wholeArgument(v value) (*big.Int, *Error) {
	if !v.isWhole() {
		return nil, fail(TypeError, "'%s' object cannot be interpreted as an integer", v.typeName())
	}
	return v.big(), nil
}

// manyFactors is more factors than a product within bounds has.
const manyFactors = 1 << 13

func factorial(f *frame, args []value) (value, *Error) {
	n, err := wholeArgument(args[0])
	switch {
	case err != nil:
		return none, err
	case n.Sign() < 0:
		return none, fail(ValueError, "factorial() not defined for negative values")
	case !n.IsInt64() || n.Int64() > manyFactors:
		return none, tooLarge()
	}
	if err := f.spend(int(n.Int64())); err != nil {
		return none, err
	}
	return bounded(new(big.Int).MulRange(1, n.Int64()))
}

// chosen are n and k for comb and perm, both not negative.
func chosen(args []value) (n, k *big.Int, err *Error) {
	if n, err = wholeArgument(args[0]); err != nil {
		return nil, nil, err
	}
	if k, err = wholeArgument(args[1]); err != nil {
		return nil, nil, err
	}
	switch {
	case n.Sign() < 0:
		return nil, nil, fail(ValueError, "n must be a non-negative integer")
	case k.Sign() < 0:
		return nil, nil, fail(ValueError, "k must be a non-negative integer")
	}
	return n, k, nil
}

func comb(f *frame, args []value) (value, *Error) {
	n, k, err := chosen(args)
	if err != nil {
		return none, err
	}
	if k.Cmp(n) > 0 {
		return integer(0), nil
	}
	if other := new(big.Int).Sub(n, k); other.Sign() >= 0 && other.Cmp(k) < 0 {
		k = other
	}
	top, err := f.falling(n, k)
	if err != nil {
		return none, err
	}
	return bigInt(top.Quo(top, new(big.Int).MulRange(1, k.Int64()))), nil
}

func perm(f *frame, args []value) (value, *Error) {
	if len(args) == 1 || args[1].kind == noneKind {
		return factorial(f, args[:1])
	}
	n, k, err := chosen(args)
	if err != nil {
		return none, err
	}
	if k.Cmp(n) > 0 {
		return integer(0), nil
	}
	z, err := f.falling(n, k)
	if err != nil {
		return none, err
	}
	return bigInt(z), nil
}

// falling is n·(n-1)·…, k factors, for a k up to n.
func (f *frame) falling(n, k *big.Int) (*big.Int, *Error) {
	if !k.IsInt64() || k.Int64() > manyFactors {
		return nil, tooLarge()
	}
	z, factor := big.NewInt(1), new(big.Int).Set(n)
	for range k.Int64() {
		if err := f.spend(1 + len(z.Bits())*len(factor.Bits())/16); err != nil {
			return nil, err
		}
		if z.Mul(z, factor).BitLen() > maxBits {
			return nil, tooLarge()
		}
		factor.Sub(factor, big.NewInt(1))
	}
	return z, nil
}

func isqrt(f *frame, args []value) (value, *Error) {
	n, err := wholeArgument(args[0])
	switch {
	case err != nil:
		return none, err
	case n.Sign() < 0:
		return none, fail(ValueError, "isqrt() argument must be nonnegative")
	}
	if err := f.spend(1 + len(n.Bits())*len(n.Bits())/4); err != nil {
		return none, err
	}
	return bigInt(new(big.Int).Sqrt(n)), nil
}

// fold combines all arguments, from start on.
func fold(start int64, fn func(x, y *big.Int) *big.Int) func(*frame, []value) (value, *Error) {
	return func(f *frame, args []value) (value, *Error) {
		total := big.NewInt(start)
		for _, v := range args {
			n, err := wholeArgument(v)
			if err != nil {
				return none, err
			}
			if err := f.spend(1 + len(total.Bits())*len(n.Bits())/4); err != nil {
				return none, err
			}
			if total = fn(total, n); total.BitLen() > maxBits {
				return none, tooLarge()
			}
		}
		return bigInt(total), nil
	}
}

func gcd(x, y *big.Int) *big.Int {
	return new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
}

func lcm(x, y *big.Int) *big.Int {
	d := gcd(x, y)
	if d.Sign() == 0 {
		return d
	}
	d.Quo(x, d)
	return d.Abs(d.Mul(d, y))
}
