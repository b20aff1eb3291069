import * as z from 'zod/mini';

// The content security policy forbids code generated from text, and reports even the attempt.
z.config({ jitless: true });
