package gridengine

import "qprism/engine/model"

// readCheckpoints reads ckpts/ or ckpts.txt, what qconf -sckpt printed: checkpoint(5).
func readCheckpoints(c *configReader) (err error) {
	c.Snap.Checkpoints, err = readObjects(c, "ckpts", "ckpt_name", func(o object, k *model.Checkpoint) error {
		k.Name = o.name
		known := fields{}
		for _, key := range []string{
			"interface", "ckpt_command", "migr_command", "restart_command", "clean_command", "ckpt_dir", "signal", "when",
		} {
			known[key] = also(&k.Settings, key)
		}
		return c.fill(o, known, "interface", "when")
	})
	return err
}
