import { DomainError } from '#kernel/errors.ts'

/** Why a publisher of CVE data gave nothing that can be used, as one masked sentence. */
export class PublisherError extends DomainError {
  override readonly name = 'PublisherError'
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super('upstream_unavailable', message)
    this.status = status
  }
}
