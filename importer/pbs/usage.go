package pbs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"qprism/engine/model"
)

// The usage file has a header and records of fixed length. Its byte order is the one of the machine that wrote
// it. Version 1 has shorter records and no header.
const (
	usageMagic   = "PBS_MAG!"
	usageHeader  = 32 // magic, version, last decay
	usageRecord  = 64
	usageNames   = 50 // bytes of a name
	usageRecord1 = 24
	usageNames1  = 9
)

// readUsage reads the scheduler's usage file.
func readUsage(r *reader) error {
	file := r.choose("usage")
	if file == "" {
		return nil
	}
	data, err := r.ReadAll(file, maxConfig)
	if err != nil || data == nil {
		return err
	}
	if !bytes.HasPrefix(data, []byte(usageMagic+"\x00")) {
		r.pbs.Fairshare.Usage.Version = 1
		return r.usageRecords(file, data, usageRecord1, usageNames1, binary.LittleEndian)
	}
	if len(data) < usageHeader {
		return r.Problem(file, 0, "", errors.New("the header is cut off"))
	}
	order := byteOrder(data[16:24])
	if err := r.usageHead(data, order); err != nil {
		return r.Problem(file, 0, "", err)
	}
	return r.usageRecords(file, data[usageHeader:], usageRecord, usageNames, order)
}

// usageHead reads version and last decay. It refuses files that the scheduler refuses.
func (r *reader) usageHead(data []byte, order binary.ByteOrder) error {
	const year2000, most = 946713600, 1 << 40
	version := math.Float64frombits(order.Uint64(data[16:]))
	last := int64(order.Uint64(data[24:]))
	switch {
	case version != 2:
		return fmt.Errorf("version %g; 2 is known", version)
	case last != 0 && (last <= year2000 || last >= most):
		return fmt.Errorf("last decay %d; the scheduler refuses the file", last)
	case last != 0:
		r.pbs.Fairshare.Usage.LastDecay = time.Unix(last, 0).UTC()
	}
	r.pbs.Fairshare.Usage.Version = version
	return nil
}

// byteOrder returns the order in which eight bytes are the number 2.
func byteOrder(version []byte) binary.ByteOrder {
	if math.Float64frombits(binary.BigEndian.Uint64(version)) == 2 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// usageRecords reads records of a name and a number.
func (r *reader) usageRecords(file string, data []byte, size, names int, order binary.ByteOrder) error {
	u := &r.pbs.Fairshare.Usage
	for number := 1; len(data) >= size; number++ {
		name, _, _ := bytes.Cut(data[:names], []byte{0})
		usage := math.Float64frombits(order.Uint64(data[size-8:]))
		data = data[size:]
		if len(name) == names || !isEntity(string(name)) || !(usage >= 0) {
			r.Unknown(file, 0, fmt.Sprintf("record %d", number), fmt.Sprintf("%q %g", name, usage))
			continue
		}
		u.Records = append(u.Records, model.EntityUsage{Name: r.Strings.Get(name), Usage: usage})
	}
	if len(data) > 0 {
		return r.Problem(file, 0, "", fmt.Errorf("the last record has %d bytes instead of %d", len(data), size))
	}
	return nil
}

// isEntity reports whether the scheduler accepts a text as a name.
func isEntity(name string) bool { return strings.Trim(name, wordBytes+".-: ") == "" }
