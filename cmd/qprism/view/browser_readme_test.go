package view

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"qprism/cmd/qprism/cli"
)

var readme = flag.Bool("view.readme", false, "write the pictures of README anew; -view.store is bin/month.db, analysed")

// TestABrowserPhotographsForTheReadme writes fixtures/pictures/page*.png: the first view of a month, hosts over
// time, a job on a telephone, and the sliders.
func TestABrowserPhotographsForTheReadme(t *testing.T) {
	if !*readme || *pictureStore == "" {
		t.Skip("the pictures of README stay: -view.readme -view.store FILE")
	}
	b := newBrowser(t)
	recording := []string{"../../../fixtures/" + seen[0].bundles[0], "../../../fixtures/" + seen[0].bundles[1]}
	month := b.at(Stored(&cli.Deps{Store: *pictureStore}, ""))
	month.print("page.png", "/", "light", 1440, 1760)
	month.print("page-plan.png", "/plan", "dark", 1440, 1100)
	b.open([]string{strings.Replace(starved, "without", "with", 1) + "start"}).print("page-phone.png", "/why?job=5", "dark", 390, 900)
	b.open(recording).print("page-what-if.png", "/what-if", "light", 800, 960)
}

// print writes a picture of what is seen of a view in a window of a size.
func (p *page) print(file, path, scheme string, width, height int64) {
	p.t.Helper()
	run(p.browser, chromedp.EmulateViewport(width, height))
	call(p.browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	p.look(path, "#main h2")
	if path == "/what-if" {
		p.slide()
	}
	run(p.browser, chromedp.Sleep(time.Second)) // charts that come into view
	p.await("#main h2")
	picture, err := png.Decode(bytes.NewReader(run(p.browser, chromedp.CaptureScreenshot())))
	if err != nil {
		p.t.Fatal(err)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, fewColors(picture)); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("../../../fixtures/pictures", file), out.Bytes(), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// fewColors is a picture with 256 colors that it has most of and that differ; others become the nearest.
func fewColors(picture image.Image) *image.Paletted {
	bounds, often := picture.Bounds(), map[color.Color]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			often[picture.At(x, y)]++
		}
	}
	most := map[[3]uint32]color.Color{} // of those that look alike
	for c, n := range often {
		r, g, b, _ := c.RGBA()
		if alike := [3]uint32{r >> 11, g >> 11, b >> 11}; most[alike] == nil || n > often[most[alike]] {
			most[alike] = c
		}
	}
	colors := slices.SortedFunc(maps.Values(most), func(a, b color.Color) int { return cmp.Compare(often[b], often[a]) })
	few := image.NewPaletted(bounds, color.Palette(colors[:min(len(colors), 256)]))
	nearest := map[color.Color]uint8{}
	for c := range often {
		nearest[c] = uint8(few.Palette.Index(c))
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			few.SetColorIndex(x, y, nearest[picture.At(x, y)])
		}
	}
	return few
}
