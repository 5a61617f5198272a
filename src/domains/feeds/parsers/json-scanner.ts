import { JsonScanner as AnyJsonScanner, type JsonPlace } from '#kernel/json-scanner.ts'
import { FeedFormatError } from './feed-row.ts'

/** The scanner of a feed: what stops being JSON is a malformed feed. */
export class JsonScanner extends AnyJsonScanner {
  protected override fault(message: string, at: JsonPlace): FeedFormatError {
    return new FeedFormatError(message, at)
  }
}
