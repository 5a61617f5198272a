/** The product's sign; decoration beside its name. */
export function ProductMark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b5f67" />
      <path d="M16 5.5 25.5 16 16 26.5 6.5 16Z" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinejoin="round" />
      <circle cx="16" cy="16" r="3.2" fill="#fff" />
    </svg>
  )
}
