package view

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// A packed answer is kept as it is sent: compressed, unless it is short.
type packed struct {
	bytes []byte
	gzip  bool
}

// shortest is what is worth compressing.
const shortest = 1 << 10

func pack(text []byte) *packed {
	if len(text) < shortest {
		return &packed{bytes: text}
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return &packed{bytes: b.Bytes(), gzip: true}
}

// open reads the answer itself.
func (p *packed) open() io.Reader {
	if !p.gzip {
		return bytes.NewReader(p.bytes)
	}
	r, err := gzip.NewReader(bytes.NewReader(p.bytes))
	if err != nil {
		panic(err) // we made it
	}
	return r
}

// send sends the answer to who asked.
func (p *packed) send(w http.ResponseWriter, r *http.Request, kind string) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Encoding")
	if p.gzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		_, _ = w.Write(p.bytes)
		return
	}
	_, _ = io.Copy(w, p.open())
}
