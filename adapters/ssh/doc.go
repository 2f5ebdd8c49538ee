// Package ssh runs commands on other hosts over SSH. Many commands share one connection. The user's
// ssh_config(5) says how to reach a host. The file config.go lists the options of ssh_config(5) that qprism
// uses.
//
// The function Dial always checks the key of a host against known_hosts. No option turns this check off. If
// the host key is unknown or has changed, Dial returns a *HostKeyError. Dial logs in with keys only: keys
// of an SSH agent, key files and certificates. Dial uses a weak algorithm only if ssh_config(5) names this
// algorithm for the host.
//
// Its files:
//   - ssh.go: Dial connects to a host, through the hosts that ProxyJump names; Client is a connection
//   - config.go: reads ssh_config(5)
//   - host.go: address and options of one host
//   - algorithms.go: the algorithms for a host
//   - known_hosts.go: checks the host's key
//   - identity.go: the keys with which Dial tries to log in
//   - run.go: runs a command
//   - quote.go: quotes the arguments of a command
package ssh
