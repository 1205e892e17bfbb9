// The part of json_number.cpp that JavaScript does: the double nearest to a number of JSON.
addToLibrary({
  xuanka_number_of: function (text, size) {
    return Number(new TextDecoder().decode(HEAPU8.subarray(text, text + size)));
  },
});
