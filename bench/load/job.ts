import * as z from 'zod';

const templateSchema = z.object({
  method: z.string(),
  path: z.string(),
  /** JSON */
  body: z.string().optional(),
});
/**
 * A request. In path and body `{n}` becomes a number that no other request has, and `{id}` one of the ids 1 to `ids`,
 * scattered.
 */
export type Template = z.infer<typeof templateSchema>;

export const jobSchema = z.object({
  /** where the service is, `http://127.0.0.1:PORT` */
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  connections: z.int(),
  /** taken in turn */
  requests: z.array(templateSchema).readonly(),
  ids: z.int(),
  seconds: z.number(),
  /**
   * Requests a second in all, each at its own moment whether or not those before are answered; its latency counts
   * from that moment, so that a service that stands still is seen. Without it each connection sends its next request
   * when the one before is answered.
   */
  rate: z.number().optional(),
});
/** What the load generator is to send, and for how long. */
export type Job = z.infer<typeof jobSchema>;

export const loadSchema = z.object({
  requests: z.int(),
  perSecond: z.number(),
  /** milliseconds until the whole answer was there */
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  most: z.number(),
  /** of each request, in ascending order */
  latencies: z.array(z.number()).readonly(),
  /** answered 503, because there was too much to do; not among the requests */
  refused: z.int(),
  /** of an answer's body, on average */
  bytes: z.number(),
});
/** What came of a job. */
export type Load = z.infer<typeof loadSchema>;
