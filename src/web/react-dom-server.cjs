/**
 * Replaces `react-dom/server.edge` (wrangler.toml), which also contains React's older renderer: 25 kB of the Worker
 * that nothing calls. The build must belong to the installed version of React.
 */
module.exports =
  process.env.NODE_ENV === 'production'
    ? require('../../node_modules/react-dom/cjs/react-dom-server.edge.production.js')
    : require('../../node_modules/react-dom/cjs/react-dom-server.edge.development.js')
