import * as z from 'zod/mini';

/** The size of the installation on a day. */
const dailySizeSchema = z.object({
  /** `YYYY-MM-DD` in UTC */
  day: z.string(),
  databaseBytes: z.number(),
  fileBytes: z.number(),
  files: z.number(),
  documents: z.number(),
  datasets: z.number(),
  historyEntries: z.number(),
});
export type DailySize = z.infer<typeof dailySizeSchema>;

/** `value`: null if none is set, or where it is secret */
const settingSchema = z.object({
  name: z.string(),
  variable: z.string(),
  description: z.string(),
  isSecret: z.boolean(),
  value: z.nullable(z.string()),
  source: z.enum(['option', 'environment', 'default']),
});
export type Setting = z.infer<typeof settingSchema>;

export const systemAnswer = z.object({
  system: z.object({
    version: z.string(),
    commit: z.string(),
    node: z.string(),
    schemaVersion: z.number(),
    /** of the process that answers; other processes may use the same database */
    process: z.object({ host: z.string(), pid: z.number(), startedAt: z.string() }),
    database: z.object({ name: z.string(), version: z.string(), bytes: z.number() }),
    archives: z.number(),
    tables: z.number(),
    documents: z.number(),
    datasets: z.number(),
    historyEntries: z.number(),
    /** of the last 366 days on which the service ran, in their order */
    sizes: z.array(dailySizeSchema),
    /** the state after its last answer; null: no scanner is set */
    malwareScanner: z.nullable(
      z.object({ version: z.nullable(z.string()), problem: z.nullable(z.string()) }),
    ),
    settings: z.array(settingSchema),
  }),
});
export type System = z.infer<typeof systemAnswer>['system'];

/** Measurements of a process over some seconds. */
const sampleSchema = z.object({
  /** when it ended */
  at: z.string(),
  requestsPerSecond: z.number(),
  /** of the requests in this period; 0 without any */
  latencyP95Ms: z.number(),
  writesPerSecond: z.number(),
  waitingWrites: z.number(),
  eventLoopDelayP99Ms: z.number(),
  /** 1 is a whole processor core */
  processorShare: z.number(),
  memoryBytes: z.number(),
});
export type MetricSample = z.infer<typeof sampleSchema>;

export const metricsAnswer = z.object({
  metrics: z.object({ intervalSeconds: z.number(), samples: z.array(sampleSchema) }),
});

/** An archive or a table. */
const collectionSizeSchema = z.object({
  /** the table name, or the GUID; one of both */
  archive: z.optional(z.string()),
  table: z.optional(z.string()),
  /** of the documents' files; null: a table has none */
  fileBytes: z.nullable(z.number()),
  /** when a record was last loaded, changed or deleted; null: never */
  changedAt: z.nullable(z.string()),
});
export type CollectionSize = z.infer<typeof collectionSizeSchema>;

export const collectionSizesAnswer = z.object({ collections: z.array(collectionSizeSchema) });
