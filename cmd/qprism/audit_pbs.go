package main

import (
	"context"
	"errors"
	"io"
)

func (s openPBS) audit(ctx context.Context, d *deps, opts auditOptions, w io.Writer) error {
	return errors.New("not yet")
}

func (s openPBS) compare(ctx context.Context, d *deps, opts planOptions, w io.Writer) error {
	return errors.New("not yet")
}
