let draft = ''

/** Keeps the text with which the submit dialog opens next: too long for a URL. */
export function putSubmitDraft(values: readonly string[]): void {
  draft = values.join('\n')
}

/** The text put aside, once. */
export function takeSubmitDraft(): string {
  const text = draft
  draft = ''
  return text
}
