// The row of the table for the file PAGE; included by Page.c once for each, hence without a guard.
// A file that is not there gives none.
#if __has_embed(PAGE)
{
    &PAGE[sizeof("../TuningServer/Page/") - 1],
    (const unsigned char[]){
#embed PAGE
    },
    sizeof((const unsigned char[]){
#embed PAGE
    }),
},
#endif
#undef PAGE
