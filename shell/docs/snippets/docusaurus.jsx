import useBaseUrl from '@docusaurus/useBaseUrl';
import Head from '@docusaurus/Head';

<Head><script src={useBaseUrl('/xuanka/xuanka-embed.js')} defer /></Head>
<xuanka-calculator lang="en" />
