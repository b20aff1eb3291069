import * as z from 'zod';
import { HALF_CHARACTER } from '../values/code-points.ts';

/** Any text that can be kept. */
export const textSchema = z.string().refine((text) => text.isWellFormed(), HALF_CHARACTER);
