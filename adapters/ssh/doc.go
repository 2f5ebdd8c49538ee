// Package ssh runs commands on other hosts over SSH, many over one connection, as the user's OpenSSH configuration says how to reach
// them (~/.ssh/config: see config.go for what is read of it).
//
// The host's key is always checked against known_hosts. An unknown or changed one is a refusal, a *HostKeyError, and nothing turns that
// off. Who we are is proved with keys alone: those of an agent, key files and certificates. Weak algorithms are used only with hosts for
// which the configuration names them.
//
// Its files:
//   - ssh.go: Options say where the configuration is
//   - algorithms.go: An algorithms value is what may be used with one host
//   - config.go: A config is what files in the form of ssh_config(5) say
//   - host.go: A host is where to connect to and how, as the configuration says
//   - identity.go: Identities are the keys that a host is offered, and what became of those that are not
//   - known_hosts.go: knownKeys reads the known_hosts files of a host
//   - quote.go: quote makes one text of an argument vector, which a POSIX shell, and a csh where no word holds a newline or "!", takes
//     apart into the same words
//   - run.go: Run runs a command, an argument vector, and waits for its end
package ssh
