import { OWN_TYPE } from './own-cells.ts';

/** The formats of a clipboard's content; '' for a missing format. */
export interface ClipboardForms {
  /** of `OWN_TYPE` */
  readonly own: string;
  /** `text/html` */
  readonly html: string;
  /** `text/plain` */
  readonly text: string;
}

/** The content of a clipboard, which can only be read during its event. */
export function clipboardForms(data: DataTransfer): ClipboardForms {
  return {
    own: data.getData(OWN_TYPE),
    html: data.getData('text/html'),
    text: data.getData('text/plain'),
  };
}
