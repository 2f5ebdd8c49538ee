package libm

import (
	_ "embed"
	"strconv"
	"strings"
)

// tables are those of the Optimized Routines of Arm Limited: a row a line, behind the name of its table.
//
//go:embed tables.txt
var tables string

var (
	expTable  [128][2]uint64  // of 2^(k/128): bits of the relative error, and bits of the value less k<<45
	logTable  [128][2]float64 // 1/c and log(c) for a c near the middle of each of 128 intervals
	log2Table [64][2]float64  // the same with log2(c)
	powTable  [128][3]float64 // 1/c, log(c) and what log(c) lacks, for a c of few bits
)

func init() {
	next := map[string]int{}
	for line := range strings.Lines(tables) {
		words := strings.Fields(line)
		row := next[words[0]]
		next[words[0]]++
		switch words[0] {
		case "exp":
			for i, word := range words[1:] {
				expTable[row][i], _ = strconv.ParseUint(word, 0, 64)
			}
		case "log":
			read(logTable[row][:], words[1:])
		case "log2":
			read(log2Table[row][:], words[1:])
		case "pow":
			read(powTable[row][:], words[1:])
		}
	}
}

func read(row []float64, words []string) {
	for i, word := range words {
		row[i], _ = strconv.ParseFloat(word, 64) // a test reads every row
	}
}
