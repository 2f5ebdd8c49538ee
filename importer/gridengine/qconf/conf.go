package qconf

import (
	"fmt"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
)

// readConf reads conf.txt and host_confs/, the output of qconf -sconf: sge_conf(5). A line "#node01:" or
// "#global:" begins each configuration. Old releases leave out the "#".
func readConf(c *configReader) error {
	files, err := c.files("host_confs")
	if err != nil {
		return err
	}
	place := map[string]int{}
	for _, file := range append([]string{"conf.txt"}, files...) {
		if err := c.conf(file, place); err != nil {
			return err
		}
	}
	return nil
}

// conf reads a file. place has the index of each host's configuration.
func (c *configReader) conf(file string, place map[string]int) error {
	lines, err := c.lines(file)
	if err != nil {
		return err
	}
	var into *[]model.Setting
	if file == "conf.txt" && len(lines) > 0 { // a spool file has no header
		into = c.confOf(model.GlobalHost, place)
	}
	for _, l := range lines {
		host, header := confHeader(l.text)
		switch {
		case header:
			into = c.confOf(host, place)
		case l.comment():
		case into == nil && file != "conf.txt":
			c.LeaveOut(file, l.number, l.text, fmt.Errorf(`"#HOST:": %w`, errMissing))
		default:
			key, value := l.pair()
			if _, known := confFields[key]; !known {
				c.Unknown(file, l.number, key, value)
			}
			*into = append(*into, model.Setting{Name: key, Value: value})
		}
	}
	return nil
}

// confHeader returns the host of a line "#HOST:".
func confHeader(text string) (host string, ok bool) {
	host, ok = strings.CutSuffix(strings.TrimPrefix(text, "#"), ":")
	return host, ok && host != "" && !strings.ContainsAny(host, blanks)
}

// confOf returns where to put a host's configuration. A second one replaces the first.
func (c *configReader) confOf(host string, place map[string]int) *[]model.Setting {
	conf := &c.Snap.Config
	if host == model.GlobalHost {
		conf.Global = nil
		return &conf.Global
	}
	i, ok := place[host]
	if !ok {
		i = len(conf.Hosts)
		place[host] = i
		conf.Hosts = append(conf.Hosts, model.HostConfig{Host: host})
	}
	conf.Hosts[i].Settings = nil
	return &conf.Hosts[i].Settings
}

// confFields are the keys of sge_conf(5), also those of other releases. Every key is kept; unknown ones are
// also listed.
var confFields = func() fields.Table {
	t := fields.Table{
		"enforce_user":     fields.Unused(fields.Values).With("auto"),
		"shell_start_mode": fields.Unused(fields.Values).With(shellModes),
		"loglevel":         fields.Unused(fields.Values).With("log_info log_warning log_err log_debug"),
	}
	unused(t, fields.Values, `load_report_time max_unheard reschedule_unknown min_uid min_gid finished_jobs gid_range
		max_aj_instances max_aj_tasks max_u_jobs max_jobs max_advance_reservations auto_user_oticket auto_user_fshare
		auto_user_delete_time delegated_file_staging reprioritize enforce_project token_extend_time finished_jobs_max
		finished_jobs_keep_time port_range gdi_request_limits`)
	unused(t, fields.Names, `user_lists xuser_lists projects xprojects execd_spool_dir mailer xterm load_sensor prolog epilog
		login_shells administrator_mail set_token_cmd pag_cmd shepherd_cmd qlogin_command qlogin_daemon rlogin_command
		rlogin_daemon rsh_command rsh_daemon auto_user_default_project jsv_url jsv_allowed_mod libjvm_path
		additional_jvm_args mail_tag topology_file`)
	for _, key := range []string{"qmaster_params", "execd_params", "reporting_params", "binding_params", "jsv_params"} {
		t[key] = fields.Unused(fields.Values).As("params")
	}
	return t
}()
