/**
 * The HTML parser of workerd, as far as it is used here
 * (https://developers.cloudflare.com/workers/runtime-apis/html-rewriter/).
 */
declare class HTMLRewriter {
  on(selector: string, handlers: { element(element: FoundElement): void }): this
  onDocument(handlers: { text(chunk: { readonly text: string }): void }): this
  transform(response: Response): Response
}

interface FoundElement {
  readonly tagName: string
  /** The attributes as written, with their character references. */
  readonly attributes: Iterable<string[]>
  /** Throws for an element that has no end tag. */
  onEndTag(handler: () => void): void
}
