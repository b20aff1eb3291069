import { setTimeout } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';

/* Metrics of the process for Prometheus. Names begin with `indexdesk_` or `process_`, units are seconds and bytes.
   Labels never contain text that users entered. */

type Labels = Readonly<Record<string, string>>;

/** The current reading of a metric: one value, or several that differ by their labels. */
type Reading = number | readonly { readonly value: number; readonly labels: Labels }[];

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A metric that cannot be read within this time is left out, in milliseconds. */
const READ_TIMEOUT = 1_000;

/** The metrics of one app; each name is used once. */
export class Metrics {
  /** for counters and histograms that are updated by events */
  readonly registry = new Registry();

  /** A value that rises and falls. @param read called each time the metrics are read */
  gauge({ name, help, labels = [] }: Described, read: () => Reading | Promise<Reading>): void {
    const labelNames = [...labels];
    void new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        for (const { value, labels } of seriesOf(await read())) this.set(labels, value);
      },
    });
  }

  /** A value that only grows, counted elsewhere. */
  counter({ name, help }: Described, read: () => number): void {
    void new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** All metrics in Prometheus' text format, without those that fail or take too long. */
  async write(): Promise<string> {
    const late = new AbortController();
    const texts = await Promise.all(
      this.registry
        .getMetricsAsArray()
        .map(({ name }) =>
          Promise.race([
            this.registry.getSingleMetricAsString(name).catch(() => ''),
            setTimeout(READ_TIMEOUT, '', { signal: late.signal }).catch(() => ''),
          ]),
        ),
    );
    late.abort();
    return `${texts.filter(Boolean).join('\n')}\n`;
  }
}

function seriesOf(reading: Reading): readonly { value: number; labels: Labels }[] {
  return typeof reading === 'number' ? [{ value: reading, labels: {} }] : reading;
}
