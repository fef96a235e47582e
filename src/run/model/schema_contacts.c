/* Contact sets of model files. See schema.h. */
#include "run/model/schema_contacts.h"

#include "base/text/field_rows.h"
#include "run/model/schema_relations.h"
#include "run/model/schema_systems.h"

/* ---- contact sets ---------------------------------------------------------------------------- */

static const nsds_type plane = {
    .type = NULL,
    .help = "A plane that spheres stay above.",
    .field = (const nsds_field[]){
        VECTOR("normal", "3", "1", NULL, "Normal of length 1, towards the spheres."),
        NUMBER("offset", "m", NULL, "0", "The plane is {x : n.x = offset}."), END}};
const nsds_family nsds_schema_planes = {"plane", "A plane.", ONE(plane)};

static const nsds_type pair = {
    .type = NULL,
    .help = "Bodies whose shapes pass through each other.",
    .field = (const nsds_field[]){
        NAMES("bodies", NULL, "Two bodies, or one, which passes through the scenery."), END}};
const nsds_family nsds_schema_pairs = {"pair", "Two bodies.", ONE(pair)};

static const nsds_type shapes_set = {
    .type = "shapes",
    .help = "Contacts of the shapes of bodies, with each other and with scenery.",
    .field = (const nsds_field[]){
        INTEGER("dimension", "[2, 3]", "3", "3: bodies in space; 2: in the plane."),
        OBJECT("law", NSDS_FIELD_REFERENCE, "law", "auto",
               "Law of every contact; auto: by materials."),
        OBJECT("materials", NSDS_FIELD_LIST, "material", "zero", "Materials, without a law."),
        CHOICE("mix", "geometric min max mean", "geometric",
               "How the coefficients of two materials become those of a contact."),
        TRUTH("rolling", "false", "Materials have rolling friction."),
        OBJECT("scenery", NSDS_FIELD_LIST, "shape", "zero", "Shapes that stand still."),
        NAMES("bodies", "all", "Bodies whose shapes take part; all: every body that has shapes."),
        OBJECT("exclude", NSDS_FIELD_LIST, "pair", "zero",
               "Pairs of bodies that do not meet, such as bodies that overlap at a joint."),
        NUMBER("reach", "m", "> 0", "auto",
               "Contacts with a gap up to this are found; auto: a tenth of the largest shape."),
        INTEGER("max_contacts", ">= 1", "auto", "A step with more fails; auto: 256 a shape."),
        END}};
static const nsds_type spheres_set = {
    .type = "spheres",
    .help = "Spheres around the centers of rigid bodies, against planes and each other.",
    .field = (const nsds_field[]){
        OBJECT("law", NSDS_FIELD_REFERENCE, "law", NULL, "Law of every contact: 1, 3 or 5 rows."),
        NAMES("bodies", NULL, "The rigid bodies."),
        VECTOR("radius", "1 or one a body", "m", NULL, "Radius of all, or of each."),
        OBJECT("planes", NSDS_FIELD_LIST, "plane", "zero", "Planes."),
        TRUTH("planes_only", "false", "Spheres do not meet each other."),
        NUMBER("reach", "m", "> 0", "auto",
               "Contacts with a gap up to this are found; auto: a tenth of the largest radius."),
        INTEGER("max_contacts", ">= 1", "auto",
                "A step with more fails; auto: 16 a sphere and one a plane and sphere."),
        END}};
static const nsds_type balls_set = {
    .type = "balls",
    .help = "Balls of one radius around the first coordinates of systems, without friction.",
    .field = (const nsds_field[]){
        OBJECT("law", NSDS_FIELD_REFERENCE, "law", NULL, "Law of every contact: one row."),
        NAMES("bodies", NULL, "Second-order systems."),
        INTEGER("dimension", "[2, 3]", "3", "Coordinates of a center."),
        NUMBER("radius", "m", "> 0", NULL, "Radius."),
        VECTOR("normal", "3 (plane: 2)", "1", "zero",
               "Normal of a half space; zero: there is none."),
        NUMBER("offset", "m", NULL, "0", "The half space is {x : n.x <= offset}."),
        TRUTH("pairs", "false", "Balls meet each other."),
        NUMBER("reach", "m", "> 0", "auto",
               "Contacts with a gap up to this are found; auto: the radius."),
        END}};
const nsds_family nsds_schema_contact_sets = {
    "contact set", "Contacts that are found anew as bodies move.",
    (const nsds_type *const[]){&shapes_set, &spheres_set, &balls_set, NULL}};
