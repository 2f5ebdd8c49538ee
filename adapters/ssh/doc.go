// Package ssh runs commands on other hosts over SSH, many over one connection. The user's ssh_config(5)
// says how to reach a host; config.go lists the options that count.
//
// Dial always checks the key of a host against known_hosts. No option turns that off. An unknown or changed
// key is a *HostKeyError. For the login it uses keys only: those of an agent, key files and certificates.
// It uses weak algorithms only for hosts whose configuration names them.
//
// Its files:
//   - ssh.go: Dial connects, through the hosts of ProxyJump; Client is a connection
//   - config.go: reads ssh_config(5)
//   - host.go: address and options of one host
//   - algorithms.go: the algorithms for a host
//   - known_hosts.go: checks the host's key
//   - identity.go: the keys to offer
//   - run.go: runs a command
//   - quote.go: quotes its arguments
package ssh
