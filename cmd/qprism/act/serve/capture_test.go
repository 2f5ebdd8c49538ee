package serve

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestOnlyOneClusterHasItsTurn(t *testing.T) {
	begun, end := make(chan bool), make(chan bool)
	go func() {
		_ = inTurn(t.Context(), func() error {
			begun <- true
			<-end
			return nil
		})
	}()
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	never := func() error {
		t.Error("two clusters have their turn")
		return nil
	}
	if err := inTurn(ctx, never); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	end <- true
	if err := inTurn(t.Context(), func() error { return nil }); err != nil {
		t.Error(err)
	}
}
