package halves

import "testing"

func TestAPanicIsTheCallers(t *testing.T) {
	defer func() {
		if p := recover(); p != "a half failed" {
			t.Errorf("recovered %v", p)
		}
	}()
	Do(10, func(from, _ int) {
		if from == 0 {
			panic("a half failed")
		}
	})
	t.Error("it goes on after a panic")
}

func TestEachThingIsDoneOnce(t *testing.T) {
	for n := range 5 {
		done := make([]int, n)
		Do(n, func(from, to int) {
			for i := from; i < to; i++ {
				done[i]++
			}
		})
		for i, times := range done {
			if times != 1 {
				t.Errorf("thing %d of %d is done %d times", i, n, times)
			}
		}
	}
}

func TestMakeKeepsTheOrderOfTheHalves(t *testing.T) {
	for n := range 5 {
		from, to := Make(n, func(from, to int) [2]int { return [2]int{from, to} })
		if want := n / 2; from != [2]int{0, want} || to != [2]int{want, n} {
			t.Errorf("%d things: %v and %v", n, from, to)
		}
	}
}
