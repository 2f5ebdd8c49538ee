// Package ssh runs commands on other hosts over SSH, many over one connection. The user's OpenSSH
// configuration says how to reach a host; config.go says what is read of it.
//
// The key of a host is always checked against known_hosts. An unknown or changed key is a *HostKeyError,
// and nothing turns that off. The login is by keys alone: those of an agent, key files and certificates.
// Weak algorithms are used only with hosts for which the configuration names them.
//
//   - ssh.go: Dial connects, over the hosts of ProxyJump; Client is a connection
//   - config.go: reads ssh_config(5)
//   - host.go: where and how to reach one host
//   - algorithms.go: which algorithms may be used with it
//   - known_hosts.go: checks its key
//   - identity.go: the keys to offer
//   - run.go: runs a command
//   - quote.go: quotes its arguments
package ssh
