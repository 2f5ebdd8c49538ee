// Package ssh runs commands on other hosts over SSH, many over one connection. The user's OpenSSH
// configuration says how to reach a host (config.go lists the options that count).
//
// The key of a host is always checked against known_hosts. An unknown or changed key is a *HostKeyError; no
// option turns that off. Logins use keys only: those of an agent, key files and certificates. Weak algorithms
// are used only for hosts whose configuration names them.
//
//   - ssh.go: Dial connects, through the hosts of ProxyJump; Client is a connection
//   - config.go: reads ssh_config(5)
//   - host.go: address and options of one host
//   - algorithms.go: the algorithms for a host
//   - known_hosts.go: checks the host's key
//   - identity.go: the keys to offer
//   - run.go: runs a command
//   - quote.go: quotes its arguments
package ssh
