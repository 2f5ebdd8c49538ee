package importer

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const qstatXML = "<?xml version='1.0'?>\n<job_info  xmlns:xsd=\"x\">\n  <queue_info>\n  </queue_info>\n " +
	" <job_info>\n  </job_info>\n</job_info>\n"

// large is a file that does not stay in memory.
var large = strings.Repeat("a large file\n", int(bounds.small)/10)

// small is a bundle with names of every kind.
var small = map[string]string{
	"qstat.xml":            qstatXML,
	"messages":             large,
	"operators.txt":        "",
	"users/al.txt":         "name al\n",
	"users/b\xffb.txt":     "name b\xffb\n",
	"users/50%.txt":        "name 50%\n",
	"hostgroups/@all.txt":  "group_name @all\n",
	"hostgroups/@last.txt": "group_name @last\n",
}

func TestEveryFormOfABundleIsTheSameFileSystem(t *testing.T) {
	packed := tarOf(small)
	for name, path := range map[string]string{
		"a folder":                      folderOf(t, small),
		"a folder inside a folder":      folderOf(t, under("rec", small)),
		"a tar archive":                 fileOf(t, "b.tar", packed),
		"a tar archive of another name": fileOf(t, "bundle", packed),
		"a gzipped archive":             fileOf(t, "b.tar.gz", gzipped(packed)),
		"a zstandard archive":           fileOf(t, "b.tar.zst", zstandard(packed)),
		"an archive with a top folder":  fileOf(t, "b.tgz", gzipped(tarOf(under("a/b", small)))),
		"one bundle among other files": fileOf(
			t, "b.tar", tarOf(merge(under("run1/after", small), map[string]string{"x.json": "{}"}))),
		"a place inside an archive": fileOf(
			t, "b.tgz", gzipped(tarOf(merge(under("1/a", small), under("2", small))))) + "/1/a",
		"a place inside the single folder": fileOf(
			t, "b.tar", tarOf(under("rec", merge(under("1", small), under("2", small))))) + "/2",
	} {
		t.Run(name, func(t *testing.T) {
			bundle := open(t, path)
			if got := read(t, bundle); !maps.Equal(got, small) {
				t.Errorf("got files %q", keys(got))
			}
			if err := fstest.TestFS(bundle, keys(escaped(small))...); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestASingleFileIsABundleThatHoldsNothingElse(t *testing.T) {
	for name, path := range map[string]string{
		"plain":      fileOf(t, "wynton-qstat.xml", []byte(qstatXML)),
		"gzipped":    fileOf(t, "qstat.xml.gz", gzipped([]byte(qstatXML))),
		"zstandard":  fileOf(t, "x", zstandard([]byte(qstatXML))),
		"with space": fileOf(t, "x", []byte("\n "+qstatXML)),
	} {
		t.Run(name, func(t *testing.T) {
			bundle := open(t, path)
			got := read(t, bundle)
			if len(got) != 1 || strings.TrimSpace(got["qstat.xml"]) != strings.TrimSpace(qstatXML) {
				t.Errorf("got %q", got)
			}
			if err := fstest.TestFS(bundle, "qstat.xml"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSeveralBundlesAreListedWithThePathsToUse(t *testing.T) {
	all := map[string]string{}
	for i := range 12 {
		all = merge(all, under(fmt.Sprintf("rec/run%02d/after", i), small))
	}
	path := fileOf(t, "r.tar.gz", gzipped(tarOf(all)))
	_, _, err := Open(path)
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 1+mostListed+1 || lines[1] != "  "+path+"/rec/run00/after" || lines[11] != "  …" {
		t.Errorf("got %s", err)
	}
	if got := read(t, open(t, strings.TrimSpace(lines[3]))); !maps.Equal(got, small) {
		t.Errorf("the third path listed holds %q", keys(got))
	}
}

func TestAPlaceWithoutABundleIsLeftToItsReader(t *testing.T) {
	bundle := open(t, folderOf(t, map[string]string{"notes.txt": "x", "more/a": "b"}))
	if got := keys(read(t, bundle)); !slices.Equal(got, []string{"more/a", "notes.txt"}) {
		t.Errorf("got %q", got)
	}
}

func TestAFolderCannotBeLeft(t *testing.T) {
	dir := folderOf(t, small)
	outside := filepath.Join(folderOf(t, map[string]string{"secret": "s"}), "secret")
	link(t, outside, filepath.Join(dir, "conf.txt"))
	link(t, "qstat.xml", filepath.Join(dir, "complex.txt"))
	if err := syscall.Mkfifo(filepath.Join(dir, "schedule"), 0o600); err != nil {
		t.Fatal(err)
	}
	bundle := open(t, dir)
	for _, name := range []string{"conf.txt", "../secret", "users/../qstat.xml", "schedule",
		"users%2Fal.txt", "%71stat.xml"} {
		if data, err := fs.ReadFile(bundle, name); err == nil {
			t.Errorf("%s: read %q", name, data)
		}
	}
	if data, err := fs.ReadFile(bundle, "complex.txt"); err != nil || string(data) != qstatXML {
		t.Errorf("a link inside the folder: %q, %v", data, err)
	}
}

func TestAHostileArchiveIsRefused(t *testing.T) {
	lim := limits{files: 20, name: 100, depth: 3, total: 1 << 20, free: 64 << 10, ratio: 20,
		small: 1 << 10, memory: 4 << 10}
	good := tarOf(map[string]string{"qstat.xml": qstatXML})
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a file that is nothing known": {[]byte("hello"), "not a bundle"},
		"an empty file":                {nil, "not a bundle"},
		"another program's output":     {[]byte("<?xml version='1.0'?>\n<html>\n</html>\n"), "not a bundle"},
		"a name that leads out":        {tarOf(map[string]string{"../x": "a"}), `".." leads out`},
		"a hidden name that leads out": {tarOf(map[string]string{"a/../../x": "a"}), `".." leads out`},
		"an absolute name":             {tarOf(map[string]string{"/etc/passwd": "a"}), "absolute"},
		"a symbolic link": {entry(
			&tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}), "a symbolic link"},
		"a hard link":                 {entry(&tar.Header{Typeflag: tar.TypeLink, Name: "a", Linkname: "b"}), "a hard link"},
		"a device":                    {entry(&tar.Header{Typeflag: tar.TypeChar, Name: "a"}), "a device"},
		"a pipe":                      {entry(&tar.Header{Typeflag: tar.TypeFifo, Name: "a"}), "a pipe"},
		"a name twice":                {entry(file("a"), file("./a")), "occurs twice"},
		"a file that is a folder too": {entry(file("a"), file("a/b")), "a file and a folder"},
		"a folder that is a file too": {entry(file("a/b"), file("a")), "occurs twice"},
		"too many files":              {tarOf(numbered(21)), "more than 20 files"},
		"too long a name":             {tarOf(map[string]string{strings.Repeat("n", 101): ""}), "name too long"},
		"folders too deep":            {tarOf(map[string]string{"a/b/c/d": ""}), "more than 3 folders"},
		"a bomb of zeros": {gzipped(tarOf(map[string]string{"a": string(make([]byte, 1<<20))})),
			"unpacks to more than"},
		"a bomb as a single file": {gzipped([]byte(qstatXML + strings.Repeat(" ", 1<<20))), "unpacks to more than"},
		"a zstandard bomb": {zstandard(tarOf(map[string]string{"a": string(make([]byte, 1<<20))})),
			"unpacks to more than"},
		"cut off in a header":          {good[:700], "unexpected EOF"},
		"cut off in a file":            {tarOf(map[string]string{"qstat.xml": large})[:2000], "unexpected EOF"},
		"cut off between files":        {good[:1024], "cut off"},
		"a cut-off gzip stream":        {cut(gzipped(good), 10), "unexpected EOF"},
		"a flipped bit":                {flip(gzipped(good)), ""},
		"more behind the end":          {append(slices.Clone(good), []byte("more")...), "more data after the end"},
		"an archive behind an archive": {append(slices.Clone(good), good...), "more data after the end"},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := openArchive(fileOf(t, "b", c.data), lim)
			if err == nil {
				files.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestAnArchiveOfManyLargeFilesIsUnpackedAFewTimes: 3,000 files of 300 KB took 150 s when each was unpacked
// from the start.
func TestAnArchiveOfManyLargeFilesIsUnpackedAFewTimes(t *testing.T) {
	files := map[string]string{"qstat.xml": qstatXML}
	total := int64(0)
	for i := range 300 {
		text := strings.Repeat(fmt.Sprintf("line %d of a file\n", i), 100+i)
		files[fmt.Sprintf("jobs/%03d.txt", i)] = text
		total += int64(len(text)) + 2*blockSize
	}
	lim := bounds
	lim.small = 100
	for name, data := range map[string][]byte{"gzip": gzipped(tarOf(files)), "zstandard": zstandard(tarOf(files))} {
		file, err := os.Open(fileOf(t, "b", data))
		if err != nil {
			t.Fatal(err)
		}
		opened, a, err := readArchive(file, lim)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if got := read(t, opened); !maps.Equal(got, files) {
				t.Fatal(name, "the files differ")
			}
		}
		// Once to list, once in all to find files, once into the spool, and the files that were read before.
		if got := a.unpacked.Load(); got > 4*total {
			t.Errorf("%s: unpacked %d bytes of an archive of %d", name, got, total)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAMissingPlaceIsNamed(t *testing.T) {
	archive := fileOf(t, "b.tar", tarOf(small))
	for _, path := range []string{archive + "x", archive + "/no/such", filepath.Join(t.TempDir(), "no", "such")} {
		if _, _, err := Open(path); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}

func TestNamesOfAnyBytesAreKept(t *testing.T) {
	for _, raw := range []string{"", "plain", "\xff\xfe", "50%", "%FF", "a%2", "é\x80", "\x00\n\t"} {
		name := escapeName(raw)
		if RawName(name) != raw || strings.ContainsRune(name, '\uFFFD') {
			t.Errorf("%q becomes %q and %q", raw, name, RawName(name))
		}
	}
}

func FuzzOpenArchive(f *testing.F) {
	lim := limits{files: 50, name: 200, depth: 5, total: 1 << 20, free: 1 << 20, ratio: 1, small: 100, memory: 1000}
	packed := tarOf(map[string]string{"a/qstat.xml": qstatXML, "a/users/\xff.txt": strings.Repeat("x", 200)})
	f.Add([]byte(qstatXML))
	f.Add(packed)
	f.Add(gzipped(packed))
	f.Add(zstandard(packed))
	f.Add(entry(file("a"), &tar.Header{Typeflag: tar.TypeDir, Name: "./"}, file("b\xff")))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := openArchive(fileOf(t, "b", data), lim)
		if err != nil {
			return
		}
		defer files.Close()
		if err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				_, _ = fs.ReadFile(files, name)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	})
}

// what the tests above share

func open(t *testing.T, path string) fs.FS {
	t.Helper()
	bundle, closer, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closer.Close() })
	return bundle
}

func read(t *testing.T, bundle fs.FS) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(bundle, name)
		got[RawName(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func fileOf(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

func tarOf(files map[string]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range keys(files) {
		h := file(name)
		h.Size = int64(len(files[name]))
		must(w.WriteHeader(h))
		must2(w.Write([]byte(files[name])))
	}
	must(w.Close())
	return b.Bytes()
}

func file(name string) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, ModTime: time.Unix(1795248962, 0),
		Format: tar.FormatGNU}
}

func entry(headers ...*tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		must(w.WriteHeader(h))
	}
	must(w.Close())
	return b.Bytes()
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must2(w.Write(data))
	must(w.Close())
	return b.Bytes()
}

func zstandard(data []byte) []byte {
	w, err := zstd.NewWriter(nil)
	must(err)
	return w.EncodeAll(data, nil)
}

func cut(data []byte, n int) []byte { return data[:len(data)-n] }

func flip(data []byte) []byte {
	data = slices.Clone(data)
	data[len(data)/2] ^= 0x10
	return data
}

func under(dir string, files map[string]string) map[string]string {
	moved := map[string]string{}
	for name, data := range files {
		moved[dir+"/"+name] = data
	}
	return moved
}

func merge(all ...map[string]string) map[string]string {
	merged := map[string]string{}
	for _, files := range all {
		maps.Copy(merged, files)
	}
	return merged
}

func escaped(files map[string]string) map[string]string {
	names := map[string]string{}
	for name, data := range files {
		names[escapeName(name)] = data
	}
	return names
}

func numbered(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprint(i)] = ""
	}
	return files
}

func keys(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func must2(_ int, err error) { must(err) }

// TestOpeningASpooledFileCostsLessThanTheFile: each reader asked for two megabytes at its start, for 3,000
// files of 300 KB in turn.
func TestOpeningASpooledFileCostsLessThanTheFile(t *testing.T) {
	const files, size = 100, 300_000
	data := bytes.Repeat([]byte("a line of a file\n"), files*size/17+1)
	parts := make([]extent, files)
	for i := range parts {
		parts[i] = extent{int64(i * size), size}
	}
	s, err := newSpool(bytes.NewReader(data), parts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.file.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i, p := range parts {
		f := s.open(p.offset)
		if n, err := io.Copy(io.Discard, f); err != nil || n != size {
			t.Fatal(i, n, err)
		}
		f.Close()
	}
	runtime.ReadMemStats(&after)
	if cost := (after.TotalAlloc - before.TotalAlloc) / files; cost > size {
		t.Errorf("reading a file of %d bytes asked for %d", size, cost)
	}
}
