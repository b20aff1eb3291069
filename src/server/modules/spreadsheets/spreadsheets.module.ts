import type { Module } from '#server/module.ts';
import { spreadsheetRoutes } from './spreadsheets.routes.ts';

/** Exports to spreadsheets and imports from them. */
export const spreadsheets: Module = (app, { database }) => {
  app.addCalls(spreadsheetRoutes(database));
};
