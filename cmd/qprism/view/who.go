package view

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"

	"qprism/cmd/cadence"
)

// leastToken is how many bytes a token has at least: fewer can be guessed.
const leastToken = 16

// Admitted refuses users whom the endpoint does not admit, and notes the names of the others. Programs and
// proxies send a token as "Authorization: Bearer". Browsers send the token as a password with any user name, or
// a name and password from the users file.
func Admitted(e cadence.Endpoint, next http.Handler, log *slog.Logger) (http.Handler, error) {
	a := &admission{Endpoint: e}
	var err error
	if a.token, err = readToken(e.TokenFile); err != nil {
		return nil, err
	}
	if a.users, err = openUsers(e.UsersFile, log); err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, admitted := a.admit(r)
		if !admitted {
			w.Header().Add("WWW-Authenticate", "Bearer")
			w.Header().Add("WWW-Authenticate", `Basic realm="qprism", charset="UTF-8"`)
			http.Error(w, a.needs(), http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, caller{name, a.secured(r)})))
	}), nil
}

type whoKey struct{}

// A caller is who asks, and how.
type caller struct {
	name    string // "" where none is known
	secured bool   // the browser uses TLS, up to here or to a proxy
}

func callerOf(r *http.Request) caller {
	c, _ := r.Context().Value(whoKey{}).(caller)
	return c
}

// whoAsks returns the name of the user who sent the request. It is empty if unknown.
func whoAsks(r *http.Request) string { return callerOf(r).name }

// An admission decides whom an endpoint admits.
type admission struct {
	cadence.Endpoint
	token []byte    // empty if no token is needed
	users *userFile // nil for none
}

// secured reports whether the browser uses TLS, by the connection or by the header of a proxy.
func (a *admission) secured(r *http.Request) bool {
	said := r.Header.Values(a.HTTPSHeader)
	return r.TLS != nil || a.HTTPSHeader != "" && len(said) == 1 && strings.EqualFold(said[0], "https")
}

// admit reports whether a request is admitted, and its user.
func (a *admission) admit(r *http.Request) (name string, admitted bool) {
	switch {
	case a.token == nil && a.users == nil:
	case a.token != nil && subtle.ConstantTimeCompare([]byte(given(r)), a.token) == 1:
	case a.users != nil:
		user, password, _ := r.BasicAuth()
		return user, a.users.now().know(user, password)
	default:
		return "", false
	}
	if a.UserHeader != "" {
		return userName(r.Header.Values(a.UserHeader)), true
	}
	if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
		return userName([]string{r.TLS.VerifiedChains[0][0].Subject.CommonName}), true
	}
	return "", true
}

// userName is a text that is exactly one valid user name; "" for others, so one user cannot pass as another.
func userName(given []string) string {
	if len(given) != 1 || !validUser.MatchString(given[0]) {
		return ""
	}
	return given[0]
}

// validUser matches a valid user name.
var validUser = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,99}$`)

// needs says what a request lacks.
func (a *admission) needs() string {
	if a.users != nil {
		return "this needs a name and a password from users_file"
	}
	return "this needs the token from token_file"
}

// given is the token that a request names; empty for none.
func given(r *http.Request) string {
	if token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); bearer {
		return token
	}
	_, password, _ := r.BasicAuth()
	return password
}

// readToken reads the token of a file; nil for no file.
func readToken(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	token, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if token = bytes.TrimSpace(token); len(token) < leastToken {
		return nil, fmt.Errorf("%s: the token has %d bytes; give it at least %d", file, len(token), leastToken)
	}
	return token, nil
}

// A userFile is a file of users, which is read again when it has changed. One that cannot be read changes
// nothing, which the log says.
type userFile struct {
	name string
	log  *slog.Logger

	mu    sync.Mutex
	asked time.Time // when it was looked whether the file has changed
	read  os.FileInfo
	users *users
}

// oldestUsers is how long users are known after the file has changed.
const oldestUsers = time.Second

// openUsers reads a file of users; nil for no file.
func openUsers(name string, log *slog.Logger) (*userFile, error) {
	if name == "" {
		return nil, nil
	}
	f := &userFile{name: name, log: log}
	return f, f.reread()
}

// now are the users of now.
func (f *userFile) now() *users {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.asked) >= oldestUsers {
		if err := f.reread(); err != nil {
			f.log.Error("users_file was not reloaded: the earlier users stay valid", "error", err.Error())
		}
	}
	return f.users
}

// reread reads the file if it has changed.
func (f *userFile) reread() error {
	f.asked = time.Now()
	info, err := os.Stat(f.name)
	if err != nil || f.read != nil && os.SameFile(info, f.read) && info.ModTime().Equal(f.read.ModTime()) &&
		info.Size() == f.read.Size() {
		return err
	}
	u, err := readUsers(f.name)
	if err == nil {
		f.users = u
	}
	f.read = info // report a mistake in it only once
	return err
}

// users have names and bcrypt hashes of passwords, as htpasswd -B writes them.
type users struct {
	hashes map[string][]byte
	nobody []byte // hash for unknown names, so that they take as long as known ones

	key  []byte
	turn chan struct{} // the check of a password takes long: one at a time
	mu   sync.Mutex
	seen map[string][]byte // of whom a password was right, its HMAC by the key: requests that follow are quick
}

func readUsers(file string) (*users, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	u := &users{hashes: map[string][]byte{}, key: []byte(rand.Text()), turn: make(chan struct{}, 1),
		seen: map[string][]byte{}}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, hash, _ := strings.Cut(line, ":")
		if _, err := bcrypt.Cost([]byte(hash)); err != nil || !validUser.MatchString(name) {
			return nil, fmt.Errorf("%s:%d: want NAME:HASH as htpasswd -B writes them", file, n)
		}
		u.hashes[name] = []byte(hash)
		u.nobody = []byte(hash)
	}
	if len(u.hashes) == 0 {
		return nil, errors.Join(fmt.Errorf("%s: it contains no user", file), lines.Err())
	}
	return u, lines.Err()
}

func (u *users) know(name, password string) bool {
	mac := hmac.New(sha256.New, u.key)
	fmt.Fprintf(mac, "%q %q", name, password)
	sum := mac.Sum(nil)
	u.mu.Lock()
	seen := u.seen[name]
	u.mu.Unlock()
	if seen != nil && hmac.Equal(seen, sum) {
		return true
	}
	u.turn <- struct{}{}
	defer func() { <-u.turn }()
	hash, known := u.hashes[name]
	if !known {
		hash = u.nobody
	}
	if bcrypt.CompareHashAndPassword(hash, []byte(password)) != nil || !known {
		return false
	}
	u.mu.Lock()
	u.seen[name] = sum
	u.mu.Unlock()
	return true
}
