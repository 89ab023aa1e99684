/** workerd's own parser of HTML, as far as it is used here (https://developers.cloudflare.com/workers/runtime-apis/html-rewriter/). */
declare class HTMLRewriter {
  on(selector: string, handlers: { element(element: FoundElement): void }): this
  onDocument(handlers: { text(chunk: { readonly text: string }): void }): this
  transform(response: Response): Response
}

interface FoundElement {
  readonly tagName: string
  /** As they were written, references and all. */
  readonly attributes: Iterable<string[]>
  /** Throws for an element that has no end. */
  onEndTag(handler: () => void): void
}
