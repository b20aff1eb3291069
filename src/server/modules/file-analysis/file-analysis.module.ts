import type { Module } from '#server/module.ts';
import { fileAnalysisRoutes } from './file-analysis.routes.ts';

/** The analysis of files from which administrators make archives and tables. */
export const fileAnalysis: Module = (app) => {
  app.addCalls([...fileAnalysisRoutes]);
};
