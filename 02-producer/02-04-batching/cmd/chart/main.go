// Command chart draws what bench has measured, as an SVG: a mark for the median of each
// setting, and a line from its slowest run to its fastest. Where two lines overlap, the
// bench has not shown which setting is the better one.
package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"brew.example/02-producer/02-04-batching/results"
	"brew.example/02-producer/measure"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

type config struct{ in, out string }

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.in, "in", "-", msg.Text("what bench wrote with -o csv or json (-: stdin)"))
	f.StringVar(&cfg.out, "out", "my-chart.svg", msg.Text("the picture to write"))
	cli.Parse(cfg.check)

	os.Exit(cli.Status(run(cfg, os.Stdin, os.Stdout)))
}

func run(cfg config, stdin io.Reader, stdout io.Writer) error {
	runs, err := read(cfg.in, stdin)
	if err != nil {
		return msg.Errorf("read %s: %w", show.Text(cfg.in), err)
	}
	if len(runs) == 0 {
		return msg.Errorf("read %s: there is no run in it", show.Text(cfg.in))
	}
	p, err := picture(runs)
	if err != nil {
		return err
	}
	if err := p.Save(18*vg.Centimeter, 10*vg.Centimeter, cfg.out); err != nil {
		return msg.Errorf("the picture cannot be written: %w", err)
	}
	_, err = msg.Fprintf(stdout, "%s: %d settings, %d runs\n", show.Text(cfg.out),
		len(results.Group(runs)), len(runs))
	return err
}

func (c *config) check() error {
	if filepath.Ext(c.out) != ".svg" {
		return cli.Usagef("flag --out cannot be %s: a name that ends in .svg", show.Text(c.out))
	}
	return nil
}

func read(name string, stdin io.Reader) ([]results.Run, error) {
	if name == "-" {
		return results.Read(stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return results.Read(file)
}

// picture draws the settings: codecs, payloads and ways to send along the x axis, a colour
// for each linger.
func picture(runs []results.Run) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = runs[0].Machine
	p.Title.TextStyle.Font.Size = vg.Points(7)
	p.Y.Min, p.Legend.Top = 0, true
	p.Y.Label.Text = "RATE, records/s"
	pick := func(r results.Run) float64 { return r.Rate }
	if runs[0].RateWanted > 0 {
		p.Y.Label.Text = "P50, ms"
		pick = func(r results.Run) float64 { return r.P50 }
	}
	var names, lingers []string
	series := map[string]*points{}
	for _, group := range results.Group(runs) {
		name := strings.Join([]string{group[0].Codec, group[0].Payload, group[0].Send}, "\n")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		linger := group[0].Linger
		if series[linger] == nil {
			series[linger] = &points{}
			lingers = append(lingers, linger)
		}
		spread := measure.SpreadOf(measure.Each(group, pick))
		series[linger].add(float64(slices.Index(names, name)), spread)
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
	for i, linger := range lingers {
		// Side by side: marks of one codec would cover each other.
		series[linger].shift(0.15 * (float64(i) - float64(len(lingers)-1)/2))
		marks, err := plotter.NewScatter(series[linger])
		if err != nil {
			return nil, err
		}
		lines, err := plotter.NewYErrorBars(series[linger])
		if err != nil {
			return nil, err
		}
		marks.Color, marks.Shape = plotutil.Color(i), plotutil.Shape(i)
		lines.Color = marks.Color
		p.Add(lines, marks)
		p.Legend.Add("LINGER "+linger, marks)
	}
	p.Y.Max *= 1.3 // room for the legend
	return p, nil
}

// points are the medians of one linger with their spreads, as the plotter asks for them.
type points struct {
	plotter.XYs
	plotter.YErrors
}

func (p *points) add(x float64, s measure.Spread[float64]) {
	p.XYs = append(p.XYs, plotter.XY{X: x, Y: s.Median})
	p.YErrors = append(p.YErrors, struct{ Low, High float64 }{s.Median - s.Min, s.Max - s.Median})
}

func (p *points) shift(by float64) {
	for i := range p.XYs {
		p.XYs[i].X += by
	}
}
