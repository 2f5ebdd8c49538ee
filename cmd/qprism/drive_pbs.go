package main

import (
	"context"
	"errors"

	"qprism/exporter/drive"
)

var errPBS = errors.New("PBS is not driven yet")

func (v *driver) stepPBS(context.Context, *subject) error           { return errPBS }
func (v *driver) giveBackPBS(context.Context, *drive.Session) error { return errPBS }
func (v *driver) showPBS(context.Context, *subject, output) error   { return errPBS }
