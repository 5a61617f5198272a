/** The current time. Passed in, so that every rule and job can be tried at any moment. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const MS_PER_SECOND = 1000
export const MS_PER_MINUTE = 60_000
export const MS_PER_HOUR = 3_600_000
export const MS_PER_DAY = 86_400_000
