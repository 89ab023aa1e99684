/** A guide (spec/connectors#guides) for a terminal: links as addresses, without the marks of Markdown. */
export const guideText = (readme: string, callbackUrl: string | null): string =>
  readme
    .replaceAll('{{callbackUrl}}', callbackUrl ?? '')
    .replaceAll(/\[([^\]]+)\]\((https:[^)\s]+)\)/g, '$1 ($2)')
    .replaceAll(/\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\n]+)\*(?![\w*])/g, (_, strong, light) => strong ?? light)
    .replaceAll(/`([^`\n]+)`/g, '$1')
