import * as z from 'zod/mini';

// The content security policy forbids code made from text, and reports even the try.
z.config({ jitless: true });
