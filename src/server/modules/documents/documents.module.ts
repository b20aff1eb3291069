import type { Module } from '#server/module.ts';
import { documentRoutes } from './documents.routes.ts';
import { lockRoutes } from './locks.routes.ts';
import { fileRoutes } from './files.routes.ts';

/** Longer than any request, in milliseconds: other processes may be writing to the same directory. */
const ABANDONED_UPLOAD_AGE = 24 * 60 * 60_000;

/** The revisions of documents and their files. */
export const documents: Module = (app, { config, definitions, files, housekeeping }) => {
  housekeeping.add(() => files.sweep(Date.now() - ABANDONED_UPLOAD_AGE), 'infrequent');
  app.addCalls([
    ...documentRoutes(config, definitions),
    ...fileRoutes(files),
    ...lockRoutes(definitions),
  ]);
};
