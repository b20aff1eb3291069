import { createContext } from 'react';
import type { FileToOpen } from './open-file.ts';

/** Shows an attachment instead of its mail. */
export const OpenAttachment = createContext<(file: FileToOpen) => void>(() => undefined);
